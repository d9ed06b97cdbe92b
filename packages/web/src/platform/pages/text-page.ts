import type { PageCall } from './page-call.ts'
import { forward, type Reply } from './reply.ts'

/** A page that is a text as it was written: what other pages cut is whole there. */
export function textPage(load: (call: PageCall) => Promise<string | null>) {
  return async (call: PageCall): Promise<Reply> => {
    const headers = { 'content-type': 'text/plain; charset=utf-8' }
    return forward(new Response((await load(call)) ?? '', { headers }))
  }
}
