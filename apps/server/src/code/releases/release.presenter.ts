import {
  isExternal,
  type Release,
  type ReleaseLink,
  type ReleaseSource,
  releaseSourceFormats,
} from '@stithy/core'
import type { ReleaseLinkRow } from '@stithy/store'
import { presentUserRef } from '../../directory/users/user.presenter.ts'
import type { Config } from '../../platform/config/config.ts'
import { timestampText } from '../../platform/http/timestamp.ts'
import { webUrl } from '../../platform/http/urls.ts'
import { presentCommit } from '../commits/commit.presenter.ts'
import type { ReleaseView } from './release-view.ts'

/** Parts of a project's URLs. */
interface ReleaseProject {
  path: string
  fullPath: string
}

export interface ReleasePresentation {
  config: Config
  project: ReleaseProject
  /** Whether the caller may read the code: otherwise tag, commit and archives are omitted. */
  canReadCode: boolean
}

/** Presents releases. */
export function presentReleases(
  views: readonly ReleaseView[],
  presentation: ReleasePresentation,
): Release[] {
  return views.map((view) => presentRelease(view, presentation))
}

/** Presents one release. */
export function presentRelease(
  view: ReleaseView,
  { config, project, canReadCode }: ReleasePresentation,
): Release {
  const { row, author, commit } = view
  const links = presentReleaseLinks(view.links, { config, project })
  const sources = canReadCode ? releaseSources(config, project, row.tag) : undefined
  return {
    ...(canReadCode ? { tag_name: row.tag, commit: commit ? presentCommit(commit) : null } : {}),
    name: row.name,
    description: row.description,
    ...(view.html === undefined ? {} : { description_html: view.html }),
    created_at: timestampText(row.createdAt),
    released_at: timestampText(row.releasedAt),
    author: author === undefined ? null : presentUserRef(config, author),
    assets: {
      count: links.length + (sources?.length ?? 0),
      ...(sources === undefined ? {} : { sources }),
      links,
    },
  }
}

/** Presents links. */
export function presentReleaseLinks(
  rows: readonly ReleaseLinkRow[],
  { config, project }: Pick<ReleasePresentation, 'config' | 'project'>,
): ReleaseLink[] {
  const projectUrl = webUrl(config, project.fullPath)
  return rows.map(({ id, name, url }) => ({ id, name, url, external: isExternal(url, projectUrl) }))
}

/** Presents one link. */
export function presentReleaseLink(
  row: ReleaseLinkRow,
  presentation: Pick<ReleasePresentation, 'config' | 'project'>,
): ReleaseLink {
  const [link] = presentReleaseLinks([row], presentation)
  if (link === undefined) throw new TypeError('a link has no view')
  return link
}

function releaseSources(config: Config, project: ReleaseProject, tag: string): ReleaseSource[] {
  const folder = tag.split('/').map(encodeURIComponent).join('/')
  const file = `${project.path}-${encodeURIComponent(tag.replaceAll('/', '-'))}`
  const base = webUrl(config, `${project.fullPath}/-/archive/${folder}/${file}`)
  return releaseSourceFormats.map((format) => ({ format, url: `${base}.${format}` }))
}
