import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/** A port; 0 leaves the choice to the operating system. */
export const port = z.coerce
  .number({ error: 'it must be a number' })
  .int({ error: 'it must be a whole number' })
  .min(0, { error: 'it must be between 0 and 65535' })
  .max(65_535, { error: 'it must be between 0 and 65535' })

/** The proxies in front: how many (`true` is one), or the networks that they are in. */
export const trustProxy = z.union(
  [
    z.coerce.number().int().min(1).max(10),
    z
      .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })])
      .transform((isOn) => isOn && 1),
    z
      .string()
      .transform((text) => text.split(',').map((network) => network.trim()))
      .refine((networks) => networks.every(isNetwork)),
  ],
  { error: 'it must be true, false, a number of proxies from 1 to 10, or a list of networks' },
)

/** `10.0.0.1` or `10.0.0.0/8`. */
function isNetwork(text: string): boolean {
  const [address = ''] = text.split('/', 1)
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  return isAddress && (ipaddr.isValid(text) || ipaddr.isValidCIDR(text))
}

/** `true`, or a text such as `yes` or `0`. */
export const flag = z.union([z.boolean(), z.stringbool()])

/** `webhooks, imports`; empty by default. */
export const nameList = z
  .string()
  .max(1000)
  .transform((text) => text.split(',').map((name) => name.trim()))
  .transform((names) => names.filter((name) => name !== ''))
  .default([])
