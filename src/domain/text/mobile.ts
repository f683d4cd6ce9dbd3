// Mobile numbers as they are compared and kept: E.164 (docs/design/domain.md).

/**
 * A mobile number in its international form, or null for what is none. Spaces, dashes and brackets are left out; Philippine
 * numbers may begin with 09.
 */
export function mobileNumber(sent: string): string | null {
  const digits = sent.replace(/[\s().-]/g, '').replace(/^09(?=\d{9}$)/, '+639')
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null
}
