import { patternMatcher } from '../../platform/text/wildcard.rules.ts'

/** The instance settings that say whose e-mail addresses may sign up. */
export interface DomainRules {
  domain_whitelist: readonly string[] | null
  domain_blacklist: readonly string[]
  domain_blacklist_enabled: boolean
}

/** Errors of an e-mail address at sign-up, by its domain; a domain of both lists is allowed. */
export function domainErrors(email: string, rules: DomainRules): string[] {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const matches = (patterns: readonly string[]) =>
    patterns.some((pattern) => patternMatcher(pattern.toLowerCase())(domain))
  const { domain_whitelist: allowed, domain_blacklist: refused } = rules
  if (allowed !== null && allowed.length > 0) {
    return matches(allowed) ? [] : ['domain is not authorized for sign-up']
  }
  const isRefused = rules.domain_blacklist_enabled && matches(refused)
  return isRefused ? ['is not from an allowed domain.'] : []
}
