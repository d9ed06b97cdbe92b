import type { Project } from '@stithy/core'
import { squareAvatar } from '../../platform/design/avatar.ts'
import { badge } from '../../platform/design/badge.ts'
import { icon } from '../../platform/design/icon.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { formatCount } from '../../platform/text/numbers.ts'
import { timeAgo } from '../../platform/text/time.ts'

/** The icon of each visibility. */
export const visibilityIcons = { private: 'lock', internal: 'shield', public: 'globe' } as const

/** A list of projects. */
export function projectRows(projects: readonly Project[], now: number): Html {
  return rows(projects.map((project) => projectRow(project, now)))
}

/** One project of a list. */
export function projectRow(project: Omit<Project, 'readme_url'>, now: number): Html {
  return row({
    start: squareAvatar(project),
    title: html`${projectLink(project)}${marks(project)}`,
    details: html`${project.description && html`<span>${project.description}</span>`}`,
    end: html`${number('star', project.star_count, 'stars')}${number('repo-forked', project.forks_count, 'forks')}<span>updated ${timeAgo(project.last_activity_at, now)}</span>`,
  })
}

/** A link to a project, by the names of what it is in and its own. */
export function projectLink(project: Pick<Project, 'path_with_namespace'>): Html {
  const path = project.path_with_namespace
  const end = path.lastIndexOf('/') + 1
  return html`<a class="title" href="${projectAddress(path)}"><span class="within">${path.slice(0, end)}</span>${path.slice(end)}</a>`
}

function marks({ visibility, archived }: Pick<Project, 'visibility' | 'archived'>): Html {
  return html`${visibility !== undefined && html` <span class="muted small">${icon(visibilityIcons[visibility], visibility)}</span>`}${archived === true && html` ${badge('archived', 'warning')}`}`
}

function number(name: 'star' | 'repo-forked', value: number, label: string): Html | undefined {
  if (value === 0) return undefined
  return html`<span class="nowrap">${icon(name, label)} ${formatCount(value)}</span>`
}
