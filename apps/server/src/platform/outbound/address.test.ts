import { describe, expect, it } from 'vitest'
import {
  addressRule,
  BlockedAddressError,
  guardedLookup,
  isLocalHost,
  isPublicAddress,
} from './address.ts'

/** Resolves a host the way that a connection does. */
function lookUp(isAllowed: (address: string) => boolean, host: string, all: boolean) {
  return new Promise((resolve, reject) => {
    guardedLookup(isAllowed)(host, { all }, (error, found) => {
      if (error === null) resolve(found)
      else reject(error)
    })
  })
}

describe('guardedLookup', () => {
  it('returns only addresses that are allowed, which the connection then goes to', async () => {
    const loopback = (address: string) => address === '127.0.0.1'
    const one = { address: '127.0.0.1', family: 4 }
    expect(await lookUp(loopback, '127.0.0.1', true)).toEqual([one])
    expect(await lookUp(loopback, '127.0.0.1', false)).toBe('127.0.0.1')
    for (const host of ['localhost', '127.0.0.1', '2130706433', '0x7f.1', '::ffff:127.0.0.1']) {
      const found = lookUp(isPublicAddress, host, true)
      await expect(found).rejects.toThrow(BlockedAddressError)
    }
  })
})

describe('addressRule', () => {
  it('allows public addresses, and others by the configuration or the settings', () => {
    const rule = (
      allowLocalHooks: boolean,
      allow_local_requests_from_hooks_and_services: boolean,
    ) =>
      addressRule({
        config: { allowLocalHooks },
        settings: { allow_local_requests_from_hooks_and_services },
      } as Parameters<typeof addressRule>[0])
    expect(rule(false, false)('8.8.8.8')).toBe(true)
    expect(rule(false, false)('127.0.0.1')).toBe(false)
    expect(rule(true, false)('127.0.0.1')).toBe(true)
    expect(rule(false, true)('127.0.0.1')).toBe(true)
  })
})

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:a00:1',
    '::ffff:169.254.169.254',
    '::ffff:0:127.0.0.1',
    'fe80::1%eth0',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    'fc00::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'not an address',
  ])('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('isLocalHost', () => {
  it('recognises localhost in every spelling, and leaves other names to the resolver', () => {
    for (const host of [
      'localhost',
      'LOCALHOST',
      'localhost.',
      'a.localhost',
      '[::1]',
      '10.1.1.1',
    ]) {
      expect(isLocalHost(host)).toBe(true)
    }
    for (const host of ['ci.example', 'notlocalhost', 'localhost.example', '[2606:4700::1]']) {
      expect(isLocalHost(host)).toBe(false)
    }
  })
})
