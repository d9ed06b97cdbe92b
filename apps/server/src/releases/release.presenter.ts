import {
  isExternal,
  type Release,
  type ReleaseLink,
  type ReleaseSource,
  releaseSourceFormats,
} from '@stithy/core'
import type { ReleaseLinkRow } from '@stithy/store'
import { presentCommit } from '../commits/commit.presenter.ts'
import type { Config } from '../config/config.ts'
import { instantText } from '../http/instant.ts'
import { webUrl } from '../http/urls.ts'
import { presentUserRef } from '../users/user.presenter.ts'
import type { ReleaseView } from './release-found.ts'

/** What the addresses of a project are made of. */
interface ReleaseProject {
  path: string
  fullPath: string
}

export interface ReleasePresentation {
  config: Config
  project: ReleaseProject
  /** Whether the caller may read the code: otherwise tag, commit and archives are left out. */
  seesCode: boolean
}

/** Releases as they go over the wire (catalogue: repository, 9). */
export function presentReleases(
  views: readonly ReleaseView[],
  presentation: ReleasePresentation,
): Release[] {
  return views.map((view) => presentRelease(view, presentation))
}

/** One release. */
export function presentRelease(
  view: ReleaseView,
  { config, project, seesCode }: ReleasePresentation,
): Release {
  const { row, author, commit } = view
  const links = presentReleaseLinks(view.links, { config, project })
  const sources = seesCode ? releaseSources(config, project, row.tag) : undefined
  return {
    ...(seesCode ? { tag_name: row.tag, commit: commit ? presentCommit(commit) : null } : {}),
    name: row.name,
    description: row.description,
    description_html: view.html,
    created_at: instantText(row.createdAt),
    released_at: instantText(row.releasedAt),
    author: author === undefined ? null : presentUserRef(config, author),
    assets: {
      count: links.length + (sources?.length ?? 0),
      ...(sources === undefined ? {} : { sources }),
      links,
    },
  }
}

/** Links as they go over the wire (document 1, Release link). */
export function presentReleaseLinks(
  rows: readonly ReleaseLinkRow[],
  { config, project }: Pick<ReleasePresentation, 'config' | 'project'>,
): ReleaseLink[] {
  const projectUrl = webUrl(config, project.fullPath)
  return rows.map(({ id, name, url }) => ({ id, name, url, external: isExternal(url, projectUrl) }))
}

/** One link. */
export function presentReleaseLink(
  row: ReleaseLinkRow,
  presentation: Pick<ReleasePresentation, 'config' | 'project'>,
): ReleaseLink {
  const [link] = presentReleaseLinks([row], presentation)
  if (link === undefined) throw new TypeError('a link has no shape')
  return link
}

function releaseSources(config: Config, project: ReleaseProject, tag: string): ReleaseSource[] {
  const folder = tag.split('/').map(encodeURIComponent).join('/')
  const file = `${project.path}-${encodeURIComponent(tag.replaceAll('/', '-'))}`
  const base = webUrl(config, `${project.fullPath}/-/archive/${folder}/${file}`)
  return releaseSourceFormats.map((format) => ({ format, url: `${base}.${format}` }))
}
