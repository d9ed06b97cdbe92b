import type { Generated } from 'kysely'

/** Domains of the sites of projects. */
export interface PagesDomainsTable {
  id: Generated<number>
  projectId: number
  /** In lower case and ASCII. */
  domain: string
  /** The certificate and its intermediates as PEM; null without one. */
  certificate: string | null
  /** The private key as PEM, encrypted. */
  sealedKey: string | null
  /** What is shown of the certificate. */
  subject: string | null
  certificateText: string | null
  /** When the certificate expires. */
  expiresAt: number | null
  /** 32 hexadecimal digits. */
  verificationCode: string
  /** When it was last found to be verified; null if it isn't. */
  verifiedAt: number | null
  /** Until when it can be used without being verified again. */
  enabledUntil: number | null
  /** When it is verified next. */
  checkAt: number
  createdAt: number
  updatedAt: number
}
