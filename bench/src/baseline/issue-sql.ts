/** A row of the queries below. */
export interface IssueRow {
  id: number
  projectId: number
  iid: number
  authorId: number
  title: string
  description: string | null
  state: string
  confidential: 0 | 1
  discussionLocked: 0 | 1 | null
  milestoneId: number | null
  dueDate: string | null
  weight: number | null
  timeEstimate: number
  totalTimeSpent: number
  mergeRequestsCount: number
  userNotesCount: number
  upvotes: number
  downvotes: number
  taskCount: number
  taskDoneCount: number
  labelCount: number
  assigneeCount: number
  closedById: number | null
  closedAt: number | null
  createdAt: number
  updatedAt: number
  fullPath: string
}

const columns = `id projectId iid authorId title description state confidential discussionLocked
  milestoneId dueDate weight timeEstimate totalTimeSpent mergeRequestsCount userNotesCount upvotes
  downvotes taskCount taskDoneCount labelCount assigneeCount closedById closedAt createdAt updatedAt`
  .split(/\s+/)
  .map((column) => `i."${column}"`)
  .join(', ')

/** Issues with the path of their project. */
export const selectIssues = (rest: string, order = 'i."createdAt" desc') =>
  `select ${columns}, p."fullPath" from ${rest} order by ${order}, i.id desc
   limit +:limit offset +:offset`

const inProject = `issues i cross join projects p where p.id = i."projectId"
  and i."projectId" = +:projectId`

const current = (alias: string) =>
  `(${alias}."expiresOn" is null or ${alias}."expiresOn" >= +:today)`

const accessible = (level: number) => `select a."descendantId" from members m
  join "namespaceAncestors" a on a."ancestorId" = m."sourceId"
  where m."userId" = +:userId and m."sourceKind" = 'group' and m."accessLevel" >= ${level}
    and ${current('m')}`

/** Projects in which the user has the level; a plus keeps a column from the choice of an index. */
const memberOf = (level: number) => `(+p.id in (select m."sourceId" from members m
    where m."userId" = +:userId and m."sourceKind" = 'project' and m."accessLevel" >= ${level}
      and ${current('m')})
  or +p."namespaceId" in (${accessible(level)}
    union all select id from namespaces where "ownerId" = +:userId)
  or +p.id in (select l."projectId" from "projectGroupLinks" l
    where l."groupId" in (${accessible(level)}) and l."groupAccess" >= ${level} and ${current('l')}))`

const visible = `p."deletedAt" is null and p.archived = 0 and p."issuesAccessLevel" <> 'disabled'
  and (p."issuesAccessLevel" = 'enabled' and p.visibility in ('public', 'internal')
    or ${memberOf(1)})
  and (i.confidential = 0 or +i."authorId" = +:userId
    or exists (select 1 from "issueAssignees" own
      where own."issueId" = i.id and own."userId" = +:userId)
    or ${memberOf(20)})`

const inGroup = `p."namespaceId" in (
  select "descendantId" from "namespaceAncestors" where "ancestorId" = +:groupId)`

/** Joins from the issues in order to their projects, for a page. */
const issuesFirst = `issues i cross join projects p where p.id = i."projectId"`
/** Joins from the projects to their issues, for a count. */
const projectsFirst = `projects p cross join issues i where i."projectId" = p.id`

/** The SQL after `from` that reads and counts a list. */
export interface ListSql {
  page: string
  count: string
  order?: string
}

const label = `select l."targetId" from "labelLinks" l where l."labelId" in (
  select id from labels where title = +:value and "projectId" = +:projectId)
  and l."targetType" = 'issue'`

const ofMilestone = `and i."milestoneId" in (
  select id from milestones where title = +:value and "projectId" = +:projectId)`

const user = '(select id from users where "usernameLower" = +:value)'

const assigned = (who: string) =>
  `and i.id in (select "issueId" from "issueAssignees" where "userId" = ${who})`

const matching = (column = '') => `and i.id in (
  select rowid from "issueTexts" where "issueTexts" match '${column}"' || +:value || '"')`

const texts = (fields: readonly string[]) =>
  `and (${fields.map((field) => `i.${field} like '%' || +:value || '%'`).join(' or ')})`

/** For conditions that lead to fewer issues than their project does. */
const byIndex = (condition: string): ListSql => {
  const sql = `issues i cross join projects p where p.id = i."projectId"
    and +i."projectId" = +:projectId ${condition}`
  return { page: sql, count: sql }
}

const same = (condition: string, order?: string): ListSql => {
  const sql = `${inProject} ${condition}`
  return order === undefined ? { page: sql, count: sql } : { page: sql, count: sql, order }
}

/** Hand-written SQL for each filter of a project's list, by the name of its row. */
export const projectLists: Readonly<Record<string, ListSql>> = {
  '': same(''),
  with_labels_details: same(''),
  state: same('and i.state = +:value'),
  labels: byIndex(`and i.id in (${label})`),
  'labels=None': same('and +i."labelCount" = 0'),
  'labels=Any': same('and +i."labelCount" > 0'),
  milestone: byIndex(ofMilestone),
  'milestone=None': same('and +i."milestoneId" is null'),
  'milestone=Any': same('and +i."milestoneId" is not null'),
  'scope=created_by_me': byIndex('and i."authorId" = +:userId'),
  'scope=assigned_to_me': byIndex(assigned('+:userId')),
  author_id: byIndex('and i."authorId" = +:value'),
  author_username: byIndex(`and i."authorId" = ${user}`),
  assignee_id: byIndex(assigned('+:value')),
  assignee_username: byIndex(assigned(user)),
  'assignee_id=None': same('and +i."assigneeCount" = 0'),
  'assignee_id=Any': same('and +i."assigneeCount" > 0'),
  my_reaction_emoji: byIndex(`and i.id in (select "targetId" from awards where "userId" = +:userId
    and "targetType" = 'issue' and name = +:value)`),
  'my_reaction_emoji=None': same(`and not exists (select 1 from awards a
    where a."targetType" = 'issue' and a."targetId" = i.id and a."userId" = +:userId)`),
  weight: same('and +i.weight = +:value'),
  'weight=None': same('and +i.weight is null'),
  'weight=Any': same('and +i.weight is not null'),
  iids: same('and i.iid in (select value from json_each(+:value))', '+i."createdAt" desc'),
  sort: same('', 'i."createdAt" asc'),
  order_by: same('', 'i."updatedAt" desc'),
  search: byIndex(matching()),
  'search|many': {
    page: `${inProject} ${texts(['title', 'description'])}`,
    count: `${inProject} ${matching()}`,
  },
  'search|title': {
    page: `${inProject} ${texts(['title'])}`,
    count: `${inProject} ${matching('title : ')}`,
  },
  created_after: same('and i."createdAt" >= +:value'),
  created_before: same('and i."createdAt" <= +:value'),
  updated_after: same('and +i."updatedAt" >= +:value'),
  updated_before: same('and +i."updatedAt" <= +:value'),
  'confidential=true': same('and i.confidential = 1'),
  'confidential=false': same('and +i.confidential = 0'),
}

/** Everywhere, and in a group with its subgroups. */
export const wideLists = {
  all: { page: `${issuesFirst} and ${visible}`, count: `${projectsFirst} and ${visible}` },
  mine: {
    page: `${issuesFirst} and ${visible} and i."authorId" = +:userId`,
    count: `${issuesFirst} and ${visible} and i."authorId" = +:userId`,
  },
  group: {
    page: `${issuesFirst} and ${visible} and ${inGroup}`,
    count: `${projectsFirst} and ${visible} and ${inGroup}`,
  },
} as const satisfies Record<string, ListSql>

/** Those of the issues that the user is subscribed to, by choice or by taking part in them. */
export const subscribed = `select i.id from issues i
  where i.id in (select value from json_each(+:ids)) and coalesce(
    (select s.subscribed from subscriptions s
      where s."targetType" = 'issue' and s."targetId" = i.id and s."userId" = +:userId),
    i."authorId" = +:userId
    or exists (select 1 from mentions m
      where m."targetType" = 'issue' and m."targetId" = i.id and m."userId" = +:userId)
    or exists (select 1 from notes n where n."noteableType" = 'issue' and n."noteableId" = i.id
      and n."authorId" = +:userId and n.system = 0)
    or exists (select 1 from "issueAssignees" a
      where a."issueId" = i.id and a."userId" = +:userId))`
