// What the HTTP statuses of refusals mean, in a sentence each.
import { statusOf } from '../errors.ts'
import type { ShownCode } from './refusals.ts'

export const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'The request is wrong: param says where, message how to mend it.',
  401: 'The credential is missing or wrong.',
  402: 'The money is not there, or the payment was declined.',
  403: 'The credential may not do this.',
  404: 'There is nothing of that id that the caller may see.',
  408: 'The request did not arrive in time.',
  409: 'It does not fit the state of what it is about.',
  412: 'What was read has changed since.',
  413: 'The body is larger than the limit.',
  415: 'The body is not of a form that is taken.',
  422: 'The idempotency key was used before with another request.',
  429: 'Too many requests. Wait for Retry-After.',
  500: 'Our fault. Quote request_id.',
  503: 'Not at the moment. Wait for Retry-After, then send the same again.',
}

export const statusOfShown = (code: ShownCode): number => statusOf(code)
