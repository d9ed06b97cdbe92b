import ipaddr from 'ipaddr.js'

/**
 * The network of a client, as a key of rate limits: an IPv4 address, or the first 64 bits of an
 * IPv6 address, which every site has to itself (RFC 6177).
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${parsed.toByteArray().slice(0, 8).join('.')}/64`
}
