import { Resolver } from 'node:dns'
import { normalizePagesDomain } from '@stithy/core'
import { z } from 'zod'
import { flag, nameList } from './setting-types.ts'

/** The domains of the sites of projects. */
export interface PagesConfig {
  /** Whether projects may have domains. */
  enabled: boolean
  /** The domain below which sites are without one of their own; undefined if none is reserved. */
  domain: string | undefined
  /** The DNS servers that know whether a domain is verified; empty for those of the system. */
  dnsServers: string[]
}

/** The settings of pages, by their names in the configuration file. */
export const pagesSettings = {
  pages: flag.default(true),
  pages_domain: z
    .string()
    .refine((name) => normalizePagesDomain(name) === name, {
      error: 'it must be a domain in lower case',
    })
    .optional(),
  dns_servers: nameList.refine(areServers, {
    error: 'it must be a list of IP addresses, each with or without a port',
  }),
}

function areServers(servers: readonly string[]): boolean {
  try {
    new Resolver().setServers(servers)
    return true
  } catch {
    return false
  }
}

type Settings = z.output<z.ZodObject<typeof pagesSettings>>

export function pagesConfigOf({ pages, pages_domain, dns_servers }: Settings): PagesConfig {
  return { enabled: pages, domain: pages_domain, dnsServers: dns_servers }
}
