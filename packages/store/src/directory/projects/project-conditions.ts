import type { CallerFacts, Visibility } from '@stithy/core'
import { type Expression, type ExpressionBuilder, expressionBuilder, type SqlBool } from 'kysely'
import type { Param } from '../../platform/queries/queries.ts'
import { containing, inList, matches } from '../../platform/queries/sql.ts'
import { toFlag } from '../../platform/schema/flag.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { current } from '../members/current.ts'
import { memberProjects, viewerArgs, viewerKind, visibleProjects } from '../members/visibility.ts'

/**
 * The scope of a project list: everywhere, a personal namespace, a group, the projects shared with a
 * group, or the direct forks of a project.
 */
export type ProjectListScope =
  | { kind: 'anywhere' }
  | { kind: 'user'; userId: number }
  | { kind: 'group'; groupId: number; subgroups: boolean; shared: boolean }
  | { kind: 'shared-with'; groupId: number }
  | { kind: 'forks-of'; sourceId: number }

/** The filter of a project list; only the caller and the date are required. */
export interface ProjectFilter {
  caller: CallerFacts
  /** `YYYY-MM-DD` */
  today: string
  scope?: ProjectListScope
  archived?: boolean | undefined
  visibility?: Visibility | undefined
  /** Searched for in names, paths and descriptions. */
  search?: string | undefined
  owned?: boolean | undefined
  membership?: boolean | undefined
  starred?: boolean | undefined
  minAccessLevel?: number | undefined
  withIssues?: boolean | undefined
  withMergeRequests?: boolean | undefined
  language?: string | undefined
  wikiChecksumFailed?: boolean | undefined
  repositoryChecksumFailed?: boolean | undefined
  /** All of these must be set to these values. */
  customAttributes?: Readonly<Record<string, string>> | undefined
  /** These alone. */
  ids?: readonly number[] | undefined
  idAfter?: number | undefined
  idBefore?: number | undefined
}

type Tables = Schema & { p: Schema['projects'] }
type Builder = ExpressionBuilder<Tables, 'p'>
/** The names are those of `parts`; a condition uses only the arguments of its own part. */
export type Args = Record<string, string | number | readonly number[]>
type Where = (eb: Builder, $: Param<Args>) => Expression<SqlBool>

/** One condition: its name in the shape of the query, and its arguments. */
export interface Part {
  name: string
  args?: Args
  where: Where
  /** The alternatives of a condition that no single index serves, or that leaves many rows to sort. */
  arms?: readonly Where[]
}

const plain = expressionBuilder<Schema, never>()

/** The conditions of a list over `projects as p`, visibility first. */
export function projectParts(filter: ProjectFilter): Part[] {
  const kind = viewerKind(filter.caller)
  const visible: Part = {
    name: kind,
    args: { ...viewerArgs(filter.caller, filter.today) },
    where: (_, $) => visibleProjects(kind, viewer($), 'p'),
  }
  return [
    visible,
    ...scopeParts(filter.scope),
    ...stateParts(filter),
    ...memberParts(filter),
    ...featureParts(filter),
    ...attributeParts(filter.customAttributes),
  ]
}

/** The arguments of every list include those of the viewer. */
function viewer($: Param<Args>): Param<{ userId: number; today: string }> {
  return $ as unknown as Param<{ userId: number; today: string }>
}

function scopeParts(scope: ProjectListScope = { kind: 'anywhere' }): Part[] {
  if (scope.kind === 'anywhere') return []
  if (scope.kind === 'user') {
    const namespaces = ($: Param<Args>) =>
      plain
        .selectFrom('namespaces')
        .where('ownerId', '=', $('owner') as number)
        .select('id')
    return [
      {
        name: 'of-user',
        args: { owner: scope.userId },
        where: (eb, $) => eb('p.namespaceId', 'in', namespaces($)),
      },
    ]
  }
  if (scope.kind === 'forks-of') {
    return [{ name: 'forks-of', args: { sourceId: scope.sourceId }, where: forksOf }]
  }
  const { groupId } = scope
  if (scope.kind === 'shared-with') {
    return [{ name: 'shared-with', args: { groupId }, where: sharedWith }]
  }
  const inside = scope.subgroups ? belowGroup : inGroup
  const name = `in-group${scope.subgroups ? '-tree' : ''}${scope.shared ? '-or-shared' : ''}`
  const arms = scope.shared ? [inside, sharedWith] : [inside]
  const where: Where = (eb, $) => eb.or(arms.map((arm) => arm(eb, $)))
  return [{ name, args: { groupId }, where, arms }]
}

const inGroup: Where = (eb, $) => eb('p.namespaceId', '=', $('groupId') as number)

const belowGroup: Where = (eb, $) =>
  eb(
    'p.namespaceId',
    'in',
    plain
      .selectFrom('namespaceAncestors')
      .where('ancestorId', '=', $('groupId') as number)
      .select('descendantId'),
  )

const sharedWith: Where = (eb, $) =>
  eb(
    'p.id',
    'in',
    plain
      .selectFrom('projectGroupLinks as shared')
      .where('shared.groupId', '=', $('groupId') as number)
      .where(current('shared', viewer($)))
      .select('shared.projectId'),
  )

const forksOf: Where = (eb, $) => eb('p.forkedFromProjectId', '=', $('sourceId') as number)

function stateParts(filter: ProjectFilter): Part[] {
  const { archived, visibility, search, ids, idAfter, idBefore } = filter
  const flags = {
    archived,
    wikiChecksumFailed: filter.wikiChecksumFailed,
    repositoryChecksumFailed: filter.repositoryChecksumFailed,
  }
  const parts: Part[] = []
  for (const column of ['archived', 'wikiChecksumFailed', 'repositoryChecksumFailed'] as const) {
    const value = flags[column]
    if (value === undefined) continue
    const where: Where = (eb, $) => eb(`p.${column}`, '=', $(column) as 0 | 1)
    parts.push({ name: column, args: { [column]: toFlag(value) }, where })
  }
  if (visibility !== undefined) {
    const where: Where = (eb, $) => eb('p.visibility', '=', $('visibility') as Visibility)
    parts.push({ name: 'visibility', args: { visibility }, where })
  }
  if (search !== undefined && search !== '') {
    parts.push({ name: 'search', args: { search: containing(search.toLowerCase()) }, where: found })
  }
  if (ids !== undefined) {
    const where: Where = (eb, $) => inList(eb.ref('p.id'), $('ids') as readonly number[])
    parts.push({ name: 'ids', args: { ids }, where })
  }
  if (idAfter !== undefined) {
    const where: Where = (eb, $) => eb('p.id', '>', $('idAfter') as number)
    parts.push({ name: 'after', args: { idAfter }, where })
  }
  if (idBefore !== undefined) {
    const where: Where = (eb, $) => eb('p.id', '<', $('idBefore') as number)
    parts.push({ name: 'before', args: { idBefore }, where })
  }
  return parts
}

const found: Where = (eb, $) => {
  const pattern = $('search') as string
  return eb.or([
    matches(eb.ref('p.nameLower'), pattern),
    matches(eb.ref('p.pathLower'), pattern),
    matches(eb.fn<string>('lower', ['p.description']), pattern),
  ])
}

/** The levels that filters may name; each has a separate query text. */
const levels = [1, 10, 20, 30, 40, 50] as const

function memberParts(filter: ProjectFilter): Part[] {
  const { owned, membership, starred, minAccessLevel = 0 } = filter
  const requestedLevel = Math.max(owned ? 50 : 0, membership ? 1 : 0, minAccessLevel)
  const level = levels.find((candidate) => candidate >= requestedLevel)
  const parts: Part[] = []
  if (requestedLevel > 0 && level !== undefined) {
    const where: Where = (_, $) => memberProjects(level, viewer($), 'p')
    parts.push({ name: `level-${level}`, where })
  }
  if (starred) parts.push({ name: 'starred', where: starredByViewer })
  return parts
}

const starredByViewer: Where = (eb, $) =>
  eb(
    'p.id',
    'in',
    plain
      .selectFrom('stars')
      .where('stars.userId', '=', $('userId') as number)
      .select('stars.projectId'),
  )

/** A feature is available if it is enabled for everyone, or for members and the caller is one. */
function featureParts({ caller, withIssues, withMergeRequests, language }: ProjectFilter): Part[] {
  const parts: Part[] = []
  const kind = caller.admin ? 'any-' : ''
  const on = (eb: Builder, $: Param<Args>, column: FeatureColumn, level: number) =>
    eb.or([
      eb(`p.${column}`, '=', 'enabled'),
      caller.admin
        ? eb(`p.${column}`, '=', 'private')
        : eb.and([eb(`p.${column}`, '=', 'private'), memberProjects(level, viewer($), 'p')]),
    ])
  if (withIssues) {
    const where: Where = (eb, $) => on(eb, $, 'issuesAccessLevel', 10)
    parts.push({ name: `${kind}issues`, where })
  }
  if (withMergeRequests) {
    const where: Where = (eb, $) =>
      eb.and([on(eb, $, 'mergeRequestsAccessLevel', 20), on(eb, $, 'repositoryAccessLevel', 20)])
    parts.push({ name: `${kind}merge-requests`, where })
  }
  if (language !== undefined && language !== '') {
    parts.push({ name: 'language', args: { language: language.toLowerCase() }, where: hasLanguage })
  }
  return parts
}

type FeatureColumn = 'issuesAccessLevel' | 'mergeRequestsAccessLevel' | 'repositoryAccessLevel'

const hasLanguage: Where = (eb, $) =>
  eb(
    'p.id',
    'in',
    plain
      .selectFrom('projectLanguages')
      .where('languageLower', '=', $('language') as string)
      .select('projectId'),
  )

function attributeParts(attributes: Readonly<Record<string, string>> = {}): Part[] {
  return Object.entries(attributes).map(([key, value], index) => {
    const where: Where = (eb, $) =>
      eb(
        'p.id',
        'in',
        plain
          .selectFrom('customAttributes')
          .where('ownerKind', '=', 'project')
          .where('key', '=', $(`key${index}`) as string)
          .where('value', '=', $(`value${index}`) as string)
          .select('ownerId'),
      )
    return {
      name: `attribute${index}`,
      args: { [`key${index}`]: key, [`value${index}`]: value },
      where,
    }
  })
}
