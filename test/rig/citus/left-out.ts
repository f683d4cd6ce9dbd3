// The files of tests that do not run on a cluster, each with the reason.
export const NOT_ON_CITUS: Readonly<Record<string, string>> = {}
