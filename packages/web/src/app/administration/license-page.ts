import type { ListedInstanceLicense } from '@stithy/core'
import { card, emptyState } from '../../platform/design/card.ts'
import { html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import type { Reply } from '../../platform/pages/reply.ts'
import { formatCount } from '../../platform/text/numbers.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { adminPage } from './admin-page.ts'
import { type Figure, figures } from './figures.ts'

/** `GET /admin/license`: the tier, which the configuration sets. */
export async function showLicense({ client, now }: PageCall): Promise<Reply> {
  const [license] = await client.licenses.list()
  const body =
    license === undefined
      ? emptyState({
          title: 'Community tier',
          text: html`It has no license and no limit of users. The option <code>tier</code> of the configuration chooses another one.`,
        })
      : figures('License', licenseFigures(license, now))
  return adminPage({ area: 'license', body: card({ body, isFlush: true }) })
}

function licenseFigures(license: ListedInstanceLicense, now: number): Figure[] {
  return [
    ['Tier', license.plan],
    ['Since', timeAgo(license.created_at, now)],
    ['Ends', license.expires_at ?? 'Never'],
    ['Users', license.user_limit === 0 ? 'No limit' : formatCount(license.user_limit)],
    ['Most active users so far', formatCount(license.historical_max)],
  ]
}
