import { tabs } from '../../platform/design/navigation.ts'
import type { Html } from '../../platform/html/html.ts'
import { projectAddress } from '../../platform/text/addresses.ts'

const pages = { branches: 'Branches', tags: 'Tags', releases: 'Releases' } as const

/** Links between the lists of what names commits. */
export function refTabs(project: string, current: keyof typeof pages): Html {
  const items = Object.entries(pages).map(([name, text]) => ({
    text,
    href: projectAddress(project, name),
    isCurrent: name === current,
  }))
  return tabs('Branches, tags and releases', items)
}
