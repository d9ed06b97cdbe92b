/** The most domains that a project may have. */
export const maxPagesDomains = 100

/** RFC 1035, section 2.3.4. */
const maxDomainLength = 253
const maxLabelLength = 63

/** What the name of a domain may not contain, as it would end the host of a URL. */
const delimiters = /[\s\p{Cc}/\\@:?#%[\]]/u

/**
 * The name of a domain as it is stored: in lower case, and in the ASCII form of RFC 5891. Undefined if
 * it is no host name of at least two labels.
 */
export function normalizePagesDomain(text: string): string | undefined {
  if (text.length > maxDomainLength || delimiters.test(text)) return undefined
  const url = `http://${text}`
  const name = URL.canParse(url) ? new URL(url).hostname : ''
  const labels = name.split('.')
  const isHostName = labels.length > 1 && name.length <= maxDomainLength && labels.every(isLabel)
  // Otherwise it is an IP address.
  return isHostName && !/^\d+$/.test(labels.at(-1) ?? '') ? name : undefined
}

function isLabel(label: string): boolean {
  if (label.startsWith('-') || label.endsWith('-')) return false
  return label.length > 0 && label.length <= maxLabelLength && /^[a-z0-9-]+$/.test(label)
}

/** Whether a domain is the same as another one, or below it. */
export function isWithinDomain(domain: string, other: string): boolean {
  return domain === other || domain.endsWith(`.${other}`)
}

const hour = 60 * 60_000
const day = 24 * hour

/** What is known of the verification of a domain; timestamps in milliseconds. */
export interface DomainVerification {
  verifiedAt: number | null
  enabledUntil: number | null
  /** When it is verified next. */
  checkAt: number
}

/** For how long a verified domain can be used. */
const enabledMs = 7 * day

/** What follows from a look-up that has found the code of a domain, or has not. */
export function verificationAfter(
  isFound: boolean,
  { createdAt, enabledUntil }: { createdAt: number; enabledUntil: number | null },
  now: number,
): DomainVerification {
  if (isFound) {
    return { verifiedAt: now, enabledUntil: now + enabledMs, checkAt: now + enabledMs - 3 * day }
  }
  const isNew = now - createdAt < enabledMs
  return {
    verifiedAt: null,
    enabledUntil: enabledUntil !== null && enabledUntil > now ? enabledUntil : null,
    checkAt: now + (isNew || enabledUntil !== null ? hour : day),
  }
}
