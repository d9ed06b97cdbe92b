export {
  type Call,
  type CallArguments,
  type CallInput,
  type CallResult,
  type Client,
  callEndpoint,
  createClient,
  createClientFor,
  type DynamicInput,
  type Registry,
  type ResourceClient,
} from './client.ts'
export { pathNames } from './encode.ts'
export { Page, type PageInfo, PagePromise } from './page.ts'
export { type FailedCall, StithyError, type StithyErrorCode } from './stithy-error.ts'
export {
  type CallOptions,
  type ClientOptions,
  createTransport,
  type Fetch,
  type Transport,
} from './transport.ts'
