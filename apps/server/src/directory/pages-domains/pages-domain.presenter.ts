import type { InstancePagesDomain, PagesDomain } from '@stithy/core'
import type { PagesDomainRow } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { timestampOrNull, timestampText } from '../../platform/http/timestamp.ts'

/** Builds the shape of a domain. */
export function presentPagesDomain(app: App, row: PagesDomainRow): PagesDomain {
  const { certificate, subject, certificateText, expiresAt } = row
  const hasCertificate = certificate !== null && subject !== null && certificateText !== null
  return {
    ...basicsOf(app, row),
    ...(hasCertificate && {
      certificate: {
        subject,
        expired: isExpired(app, expiresAt),
        certificate,
        certificate_text: certificateText,
      },
    }),
  }
}

/** Builds the shape of a domain for administrators. */
export function presentInstanceDomain(app: App, row: PagesDomainRow): InstancePagesDomain {
  const { projectId, expiresAt } = row
  return {
    ...basicsOf(app, row),
    project_id: projectId,
    ...(expiresAt !== null && {
      certificate: { expired: isExpired(app, expiresAt), expiration: timestampText(expiresAt) },
    }),
  }
}

function basicsOf({ settings }: App, row: PagesDomainRow) {
  return {
    domain: row.domain,
    url: `${row.certificate === null ? 'http' : 'https'}://${row.domain}`,
    verified: !settings.pages_domain_verification_enabled || row.verifiedAt !== null,
    verification_code: row.verificationCode,
    enabled_until: timestampOrNull(row.enabledUntil),
  }
}

function isExpired({ now }: App, expiresAt: number | null): boolean {
  return expiresAt !== null && expiresAt < now()
}
