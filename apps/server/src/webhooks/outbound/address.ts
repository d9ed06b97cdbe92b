import { lookup as resolve } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address that requests of the server may not go to. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError'

  constructor() {
    super('the address is blocked')
  }
}

/** Whether an IP address is a public one: of none of the ranges that are kept for something else. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  // `::127.0.0.1`: an outdated way to write an IPv4 address, which some systems still follow.
  return parsed.kind() === 'ipv4' || !parsed.match(ipaddr.parseCIDR('::/96'))
}

/** The IP address that a host of a URL is; undefined for a name. */
export function addressOf(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(bare) ? bare : undefined
}

/**
 * Whether a host of a URL is local as it stands: an IP address that is not public, or `localhost`. What
 * other names stand for shows when they are looked up.
 */
export function isLocalHost(hostname: string): boolean {
  const address = addressOf(hostname)
  if (address !== undefined) return !isPublicAddress(address)
  return /(^|\.)localhost\.?$/i.test(hostname)
}

/**
 * Looks a host up and gives those of its addresses that are allowed: the connection goes to one of them,
 * whatever the name stands for a moment later. @throws BlockedAddressError where there is none
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
