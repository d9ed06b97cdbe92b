/** The domain of a change. */
export interface DomainChange {
  projectId: number
  domainId: number
  /** In lower case and punycode. */
  domain: string
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** A domain was added, got another certificate or key, or was removed. */
    'pages_domain.changed': DomainChange & { action: 'add' | 'change' | 'remove' }
    /** The DNS records of a domain have its code now, or no longer. */
    'pages_domain.verified': DomainChange & { isVerified: boolean }
  }
}
