import { listedAddresses, type Settings } from '@stithy/core'
import { basicAuth } from '../../../platform/outbound/basic-auth.ts'

/** One address of the engine. */
export interface EngineAddress {
  origin: string
  /** In front of every path; without a slash at the end. */
  prefix: string
  authorization: string | undefined
}

/** How requests to Amazon are signed (Signature Version 4). */
export interface AwsAccess {
  region: string
  /** Undefined for those of the environment: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

/** Where an external engine is. */
export interface EngineAccess {
  addresses: readonly EngineAddress[]
  aws: AwsAccess | undefined
}

/** The external engine of the settings; undefined if they name none. */
export function engineAccess(settings: Readonly<Settings>): EngineAccess | undefined {
  const addresses = listedAddresses(settings.searchengine_url ?? '').map(parseAddress)
  if (addresses.length === 0) return undefined
  return { addresses, aws: settings.searchengine_aws ? awsAccess(settings) : undefined }
}

function parseAddress(text: string): EngineAddress {
  const url = new URL(text)
  const prefix = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname
  return { origin: url.origin, prefix, authorization: basicAuth(url).authorization }
}

function awsAccess({
  searchengine_aws_region: region,
  searchengine_aws_access_key: accessKeyId,
  searchengine_aws_secret_access_key: secretAccessKey,
}: Readonly<Settings>): AwsAccess {
  const isSet = accessKeyId !== null && secretAccessKey !== null
  return {
    region: region ?? 'us-east-1',
    credentials: isSet ? { accessKeyId, secretAccessKey } : undefined,
  }
}
