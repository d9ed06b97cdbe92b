import { lookup as resolve } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { App } from '../app.ts'

/** Thrown for an address that requests of the server may not go to. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError'

  constructor() {
    super('the address is blocked')
  }
}

/** Whether a request failed because of an address that it may not go to. */
export function isBlocked(error: unknown): boolean {
  if (error instanceof BlockedAddressError) return true
  return error instanceof Error && error.cause !== undefined && isBlocked(error.cause)
}

type Rules = Pick<App, 'config' | 'settings'>

/** Whether requests of the server may go to its own network: by the settings, or the configuration. */
function allowsLocal({ config, settings }: Rules): boolean {
  return config.allowLocalHooks || settings.allow_local_requests_from_hooks_and_services
}

/** Which addresses requests of the server may go to. */
export function addressRule(rules: Rules): (address: string) => boolean {
  return allowsLocal(rules) ? () => true : isPublicAddress
}

/** Whether a URL's host is refused before it is resolved: a local one, unless they are allowed. */
export function isBlockedHost(rules: Rules, hostname: string): boolean {
  return !allowsLocal(rules) && isLocalHost(hostname)
}

/** Whether an IP address is public, i.e. in none of the reserved ranges. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  // `::127.0.0.1`: a deprecated form of an IPv4 address that some systems still accept.
  return parsed.kind() === 'ipv4' || !parsed.match(ipaddr.parseCIDR('::/96'))
}

/** The IP address that a URL's host spells out; undefined for a name. */
export function addressOf(hostname: string): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(host) ? host : undefined
}

/**
 * Whether a URL's host is local by itself: an IP address that is not public, or `localhost`. Other
 * names are checked when they are resolved.
 */
export function isLocalHost(hostname: string): boolean {
  const address = addressOf(hostname)
  if (address !== undefined) return !isPublicAddress(address)
  return /(^|\.)localhost\.?$/i.test(hostname)
}

/**
 * Resolves a host to its allowed addresses. The connection goes to one of them, whatever the name
 * resolves to later.
 * @throws BlockedAddressError when none is allowed
 */
export function guardedLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0)
      const found = addresses.filter(({ address }) => isAllowed(address))
      const [first] = found
      if (first === undefined) return callback(new BlockedAddressError(), '', 0)
      if (options.all === true) return callback(null, found)
      return callback(null, first.address, first.family)
    })
  }
}
