import { crumbs } from '../../platform/design/navigation.ts'
import type { Html } from '../../platform/html/html.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import type { CodeTarget } from './code-target.ts'

/** The folders above a file or folder, from the project on. */
export function pathCrumbs(project: string, { ref, path }: CodeTarget): Html {
  const segments = path === '' ? [] : path.split('/')
  const folders = segments.map((text, at) => {
    const href = projectAddress(project, 'tree', ref, segments.slice(0, at + 1).join('/'))
    return at === segments.length - 1 ? { text } : { text, href }
  })
  const name = project.slice(project.lastIndexOf('/') + 1)
  return crumbs('Path', [{ text: name, href: projectAddress(project, 'tree', ref) }, ...folders])
}
