import type { Variants } from '@stithy/core'
import { encodeRequest } from './encode.ts'
import { nextQuery, Page, PagePromise, readPageInfo } from './page.ts'
import type { CallOptions, Transport } from './transport.ts'
import { chooseVariant, type DynamicInput } from './variant.ts'

/** One call of a method whose endpoints are only known at run time. */
interface Call {
  transport: Transport
  variants: Variants
  input: DynamicInput
  options: CallOptions
}

/**
 * Calls the endpoint with a name that the input selects. Lists return pages, raw endpoints the
 * platform's `Response`, all others their parsed body.
 */
export function callEndpoint(
  transport: Transport,
  variants: Variants,
  input: DynamicInput = {},
  options: CallOptions = {},
): Promise<unknown> | PagePromise<unknown> {
  const call = { transport, variants, input, options }
  return variants[0].paginated ? callPages(call) : callOnce(call)
}

async function callOnce({ transport, variants, input, options }: Call): Promise<unknown> {
  const endpoint = chooseVariant(variants, input)
  const { response, body } = await transport.send(encodeRequest(endpoint, input), options)
  return endpoint.kind === 'raw' ? response : body
}

function callPages({ transport, variants, input, options }: Call): PagePromise<unknown> {
  return new PagePromise(async (query) => {
    const request = encodeRequest(chooseVariant(variants, input), input)
    if (query !== null) request.query = query
    const { response, body } = await transport.send(request, options)
    const items = Array.isArray(body) ? body : []
    return {
      page: new Page(items, readPageInfo(response.headers)),
      next: nextQuery(response.headers, request.query),
    }
  })
}
