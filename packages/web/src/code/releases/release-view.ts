import type { Release } from '@stithy/core'
import { person } from '../../platform/design/avatar.ts'
import { card } from '../../platform/design/card.ts'
import { icon } from '../../platform/design/icon.ts'
import { prose } from '../../platform/design/prose.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { localPath, projectAddress } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'

export interface ReleaseCardOptions {
  /** Full path. */
  project: string
  now: number
  /** At the end of the heading. */
  end?: Html | undefined
}

/** A release with its notes and files. @param description as HTML */
export function releaseCard(
  release: Release,
  description: string,
  { project, now, end }: ReleaseCardOptions,
): Html {
  const { tag_name: tag, name } = release
  const title =
    tag === undefined
      ? name
      : html`<a href="${projectAddress(project, 'releases', tag)}">${name}</a>`
  return card({
    title,
    end,
    body: html`<div class="stack"><p class="row small muted">${tag !== undefined && html`<a href="${projectAddress(project, 'tree', tag)}">${icon('tag')} ${tag}</a>`}${commitLink(release, project)}<span>released ${timeAgo(release.released_at, now)}</span>${release.author && person(release.author)}</p>
${description !== '' && prose(description)}${assets(release)}</div>`,
  })
}

function commitLink({ commit }: Release, project: string): Html | undefined {
  if (!commit) return undefined
  return html`<a class="mono" href="${projectAddress(project, 'commit', commit.id)}" aria-label="Commit ${commit.short_id}">${commit.short_id}</a>`
}

/** Links of the release lead anywhere; archives of the source are of this server. */
function assets({ assets: { links, sources = [] } }: Release): Html | undefined {
  if (links.length + sources.length === 0) return undefined
  const external = links.map(
    ({ name, url, external: isExternal }) =>
      html`<li>${icon(isExternal ? 'link-external' : 'link')} <a href="${url}" rel="nofollow noreferrer">${name}</a></li>`,
  )
  const archives = sources.map(
    ({ format, url }) =>
      html`<li>${icon('file-code')} <a href="${localPath(url)}">Source code (${format})</a></li>`,
  )
  return html`<section><h3>Assets</h3><ul class="plain">${external}${archives}</ul></section>`
}
