import type { SideLink } from '../../platform/design/side-navigation.ts'
import { groupAddress } from '../../platform/text/addresses.ts'

const pages = {
  general: { text: 'General', address: ['edit'] },
  hooks: { text: 'Webhooks', address: ['hooks'] },
  badges: { text: 'Badges', address: ['settings', 'badges'] },
  scim: { text: 'SCIM', address: ['settings', 'scim'] },
  audit_events: { text: 'Audit events', address: ['audit_events'] },
} as const

/** A page of the settings of a group. */
export type GroupSettingsPage = keyof typeof pages

/** Links between the settings of a group. */
export function groupSettingsLinks(group: string, current: GroupSettingsPage): SideLink[] {
  return Object.entries(pages).map(([name, { text, address }]) => ({
    text,
    href: groupAddress(group, ...address),
    isCurrent: name === current,
  }))
}
