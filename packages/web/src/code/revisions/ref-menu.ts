import { icon } from '../../platform/design/icon.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import type { CodeTarget } from './code-target.ts'

/** Pages that show something at a branch or tag. */
export const refPages = [
  'tree',
  'blob',
  'blame',
  'commits',
  'find_file',
  'graphs',
  'network',
] as const
export type RefPage = (typeof refPages)[number]

interface RefMenu extends CodeTarget {
  project: string
  /** The page that the same is shown on at another ref. */
  page: RefPage
}

/** The branch, tag or commit that is shown, and the way to another one. */
export function refMenu({ project, page, ref, path }: RefMenu): Html {
  const refs = projectAddress(project, 'refs')
  return html`<details class="menu start ref-menu" data-menu><summary class="button">${icon('git-branch', 'Branch, tag or commit')}<span class="name">${shortRef(ref)}</span>${icon('triangle-down')}</summary>
<div class="panel"><form action="${refs}"><input type="hidden" name="page_of" value="${page}"><input type="hidden" name="path" value="${path}">
<label for="ref-search">Switch to a branch or tag</label><input id="ref-search" type="search" name="search" placeholder="Part of its name"><div class="buttons"><button>Find</button><a href="${refs}?page_of=${page}&amp;path=${encodeURIComponent(path)}">Show all</a></div></form></div></details>`
}

/** A name, or the start of the id of a commit. */
export function shortRef(ref: string): string {
  return /^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 8) : ref
}
