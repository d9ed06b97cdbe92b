import { SearchEngineError } from '../search-engine.ts'
import type { AwsAccess } from './addresses.ts'

/** A request as it is sent; `path` with its query. */
export interface SignedRequest {
  method: string
  host: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
}

/** The name of the service in signatures. */
const service = 'es'

/** The headers of a request with those of a signature (AWS Signature Version 4). */
export async function signedHeaders(
  { region, credentials }: AwsAccess,
  { headers, ...request }: SignedRequest,
): Promise<Record<string, string>> {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env
  if (credentials === undefined && !(AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY)) {
    throw new SearchEngineError('There are no keys to sign requests to the search engine with')
  }
  // Servers that sign nothing need not load it.
  const { default: aws4 } = await import('aws4')
  const keys = credentials ?? {
    accessKeyId: AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: AWS_SECRET_ACCESS_KEY ?? '',
    ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
  }
  const signed = aws4.sign(
    { ...request, service, region, headers: { ...headers }, body: request.body ?? '' },
    keys,
  )
  return signed.headers as Record<string, string>
}
