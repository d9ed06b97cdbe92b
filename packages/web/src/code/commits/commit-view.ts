import type { Commit } from '@stithy/core'
import { avatar } from '../../platform/design/avatar.ts'
import { row } from '../../platform/design/lists.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'

type CommitFields = Pick<
  Commit,
  'id' | 'short_id' | 'title' | 'author_name' | 'committed_date' | 'committer_name'
>

/** The title of a commit; some have none. */
export function commitTitle({ title }: Pick<Commit, 'title'>): string {
  return title.trim() === '' ? '(no message)' : title
}

/** A commit in a list. */
export function commitRow(commit: CommitFields, project: string, now: number): Html {
  const href = projectAddress(project, 'commit', commit.id)
  return row({
    start: avatar({ name: commit.author_name || '?' }),
    title: html`<a class="title" href="${href}">${commitTitle(commit)}</a>`,
    details: html`<span>${commit.author_name}</span>${commit.committer_name !== commit.author_name && html`<span>committed by ${commit.committer_name}</span>`}<span>${timeAgo(commit.committed_date, now)}</span>`,
    end: html`<a class="mono" href="${href}" aria-label="Commit ${commit.short_id}">${commit.short_id}</a><a href="${projectAddress(project, 'tree', commit.id)}">Files<span class="hidden"> at ${commit.short_id}</span></a>`,
  })
}

/** The newest commit of what is shown, in one line. */
export function commitLine(commit: CommitFields, project: string, now: number, end?: Html): Html {
  return html`<div class="commit-line">${avatar({ name: commit.author_name || '?' }, 'small')}<span class="strong">${commit.author_name}</span><a class="grow" href="${projectAddress(project, 'commit', commit.id)}">${commitTitle(commit)}</a><a class="mono" href="${projectAddress(project, 'commit', commit.id)}" aria-label="Commit ${commit.short_id}">${commit.short_id}</a>${timeAgo(commit.committed_date, now)}${end}</div>`
}
