// placeholder
export const docsPage = (_: unknown): string => ''
