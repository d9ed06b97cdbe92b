import { describe, expect, it } from 'vitest'
import { clientNetwork } from './client-network.ts'

describe('clientNetwork', () => {
  it('is the same for all addresses of an IPv6 /64, and differs between them', () => {
    const network = clientNetwork('2001:db8:1:2::1')
    expect(clientNetwork('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(network)
    expect(clientNetwork('2001:db8:1:3::1')).not.toBe(network)
  })

  it('is the address for IPv4, also in its IPv6 form', () => {
    expect(clientNetwork('192.0.2.1')).toBe('192.0.2.1')
    expect(clientNetwork('::ffff:192.0.2.1')).toBe('192.0.2.1')
  })

  it('is the text for anything else', () => {
    expect(clientNetwork('unknown')).toBe('unknown')
  })
})
