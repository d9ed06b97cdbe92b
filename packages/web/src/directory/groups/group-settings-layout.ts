import { AccessLevel } from '@stithy/core'
import type { FailedForm } from '../../platform/forms/form-view.ts'
import type { Html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { forbidden } from '../../platform/pages/refusal.ts'
import type { PageReply } from '../../platform/pages/reply.ts'
import { sidedPage } from '../../platform/pages/sided-page.ts'
import { groupAddress } from '../../platform/text/addresses.ts'
import { groupPlace, hasPremium, loadGroup, type ViewedGroup } from './group-place.ts'

const pages = {
  general: { text: 'General', address: ['edit'] },
  hooks: { text: 'Webhooks', address: ['hooks'] },
  badges: { text: 'Badges', address: ['settings', 'badges'] },
  scim: { text: 'SCIM', address: ['settings', 'scim'] },
  audit_events: { text: 'Audit events', address: ['audit_events'] },
} as const

interface GroupSettings {
  group: ViewedGroup
  current: keyof typeof pages
  /** Default: the name of the page. */
  title?: string
  end?: Html | undefined
  failed?: FailedForm | undefined
  body: Html
  isSecret?: boolean
}

/** A page of the settings of a group, with links to the others; 422 where a form was refused. */
export function groupSettingsPage({ group, current, ...view }: GroupSettings): PageReply {
  const path = group.full_path
  const links = Object.entries(pages)
    .filter(([name]) => hasPremium(group) || (name !== 'scim' && name !== 'audit_events'))
    .map(([name, { text, address }]) => ({
      text,
      href: groupAddress(path, ...address),
      isCurrent: name === current,
    }))
  return sidedPage({
    title: pages[current].text,
    ...view,
    of: `Settings · ${path}`,
    place: groupPlace(group, 'settings'),
    label: 'Settings',
    links,
  })
}

/** The group of a page of settings. @throws StithyError 403 for those who don't own it */
export async function loadOwnedGroup(call: PageCall): Promise<ViewedGroup> {
  const group = await loadGroup(call)
  if (group.accessLevel < AccessLevel.owner) throw forbidden()
  return group
}
