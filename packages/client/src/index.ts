export { callEndpoint } from './call.ts'
export { createClient, createClientFor } from './client.ts'
export type { CallInput, CallResult, Client, Method, Registry } from './client-types.ts'
export { readFailure } from './failure.ts'
export { Page, type PageInfo, PagePromise } from './page.ts'
export { type FailedCall, StithyError, type StithyErrorCode } from './stithy-error.ts'
export {
  type CallOptions,
  type ClientOptions,
  type ContentRequest,
  contentHeaderNames,
  createTransport,
  type Fetch,
  type Transport,
} from './transport.ts'
export {
  type DynamicInput,
  describeMismatch,
  findVariant,
  type VariantMismatch,
} from './variant.ts'
