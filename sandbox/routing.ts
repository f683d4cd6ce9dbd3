// Routes as tables: "GET /transfers/*" and what answers it. It must not know any rail.
import type { Books } from './books/books.ts'
import type { Credentials } from './credentials.ts'
import type { HttpRequest, Reply } from './replies.ts'

export type Call = {
  readonly books: Books
  readonly request: HttpRequest
  /** The part of the path that the route leaves open; empty where it leaves none open. */
  readonly id: string
}
export type Handler = (call: Call) => Reply
export type Routes = Readonly<Record<string, Handler>>

/** What answers below one first part of the path. */
export type Api = {
  /** Answered without credentials. */
  readonly open?: Routes
  /** The refusal of all other routes to this caller; null for one who may use them. */
  readonly refusal?: (request: HttpRequest, credentials: Credentials) => Reply | null
  readonly routes: Routes
  /** The reply to a request that is Malformed. */
  readonly malformed: (message: string) => Reply
}

/** Null when none of the routes matches. */
export function answerFrom(routes: Routes, books: Books, request: HttpRequest): Reply | null {
  for (const [route, handler] of Object.entries(routes)) {
    const [method, pattern = ''] = route.split(' ')
    const parts = pattern.slice(1).split('/')
    if (method !== request.method || parts.length !== request.path.length) continue
    if (parts.every((part, at) => part === '*' || part === request.path[at]))
      return handler({ books, request, id: request.path[parts.indexOf('*')] ?? '' })
  }
  return null
}
