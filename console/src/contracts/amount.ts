// An amount as it is typed into a form, in major units, before the gateway is asked.

/** Whether it is one: a plain decimal above 0, of as many digits as the gateway takes. */
export const isAmount = (text: string): boolean => /^\d{1,12}(\.\d{1,4})?$/.test(text.trim()) && Number(text) > 0
