/** A table of items, as its hand-written lists need it; `i` is its alias in all of them. */
export interface ItemTable {
  items: 'issues' | 'mergeRequests'
  /** In links. */
  type: 'issue' | 'merge_request'
  assignees: 'issueAssignees' | 'mergeRequestAssignees'
  /** The column of `assignees` with the item's id. */
  assigned: 'issueId' | 'mergeRequestId'
  texts: 'issueTexts' | 'mergeRequestTexts'
  columns: readonly string[]
  /** Which items the caller can see, over them and their project `p`. */
  visible: string
}

/** The SQL after `from` that reads and counts a list. */
export interface ListSql {
  page: string
  count: string
  order?: string
}

/** The hand-written lists of a table. */
export interface ItemSql {
  /** For each filter of a project's list, by its parameter, with the value where it differs. */
  projectLists: Readonly<Record<string, ListSql>>
  /** Everywhere, and in a group with its subgroups. */
  wideLists: Readonly<Record<'all' | 'mine' | 'group', ListSql>>
}

/** Items with the path of their project. */
export function selectItems(table: ItemTable, rest: string, order = 'i."createdAt" desc'): string {
  const columns = table.columns.map((column) => `i."${column}"`).join(', ')
  return `select ${columns}, p."fullPath" from ${rest} order by ${order}, i.id desc
   limit +:limit offset +:offset`
}

const current = (alias: string) =>
  `(${alias}."expiresOn" is null or ${alias}."expiresOn" >= +:today)`

const accessible = (level: number) => `select a."descendantId" from members m
  join "namespaceAncestors" a on a."ancestorId" = m."sourceId"
  where m."userId" = +:userId and m."sourceKind" = 'group' and m."accessLevel" >= ${level}
    and ${current('m')}`

/** Projects in which the user has the level; a plus keeps a column from the choice of an index. */
export const memberOf = (level: number) => `(+p.id in (select m."sourceId" from members m
    where m."userId" = +:userId and m."sourceKind" = 'project' and m."accessLevel" >= ${level}
      and ${current('m')})
  or +p."namespaceId" in (${accessible(level)}
    union all select id from namespaces where "ownerId" = +:userId)
  or +p.id in (select l."projectId" from "projectGroupLinks" l
    where l."groupId" in (${accessible(level)}) and l."groupAccess" >= ${level} and ${current('l')}))`

const inGroup = `p."namespaceId" in (
  select "descendantId" from "namespaceAncestors" where "ancestorId" = +:groupId)`

/** Whether the user wrote the item or is assigned to it. */
export const own = ({ assignees, assigned }: Pick<ItemTable, 'assignees' | 'assigned'>) =>
  `(+i."authorId" = +:userId or exists (select 1 from "${assignees}" own
    where own."${assigned}" = i.id and own."userId" = +:userId))`

/** Makes the list of a project's items that match a condition. */
export function listsOf({ items }: ItemTable) {
  const list = (project: string, condition: string): ListSql => {
    const sql = `"${items}" i cross join projects p where p.id = i."projectId"
      and ${project} = +:projectId ${condition}`
    return { page: sql, count: sql }
  }
  return {
    /** In the order of the project. */
    same: (condition: string, order?: string): ListSql => ({
      ...list('i."projectId"', condition),
      ...(order === undefined ? {} : { order }),
    }),
    /** For conditions that lead to fewer items than their project does. */
    byIndex: (condition: string): ListSql => list('+i."projectId"', condition),
  }
}

/** The lists that issues and merge requests have in common. */
export function commonLists(table: ItemTable): ItemSql['projectLists'] {
  const { same } = listsOf(table)
  return {
    '': same(''),
    with_labels_details: same(''),
    state: same('and i.state = +:value'),
    'labels=None': same('and +i."labelCount" = 0'),
    'labels=Any': same('and +i."labelCount" > 0'),
    'milestone=None': same('and +i."milestoneId" is null'),
    'milestone=Any': same('and +i."milestoneId" is not null'),
    'assignee_id=None': same('and +i."assigneeCount" = 0'),
    'assignee_id=Any': same('and +i."assigneeCount" > 0'),
    'my_reaction_emoji=None': same(`and not exists (select 1 from awards a
      where a."targetType" = '${table.type}' and a."targetId" = i.id and a."userId" = +:userId)`),
    iids: same('and i.iid in (select value from json_each(+:value))', '+i."createdAt" desc'),
    sort: same('', 'i."createdAt" asc'),
    order_by: same('', 'i."updatedAt" desc'),
    created_after: same('and i."createdAt" >= +:value'),
    created_before: same('and i."createdAt" <= +:value'),
    updated_after: same('and +i."updatedAt" >= +:value'),
    updated_before: same('and +i."updatedAt" <= +:value'),
    ...narrowLists(table),
    ...searchLists(table),
  }
}

/** By a user, a label or a milestone. */
function narrowLists(table: ItemTable): ItemSql['projectLists'] {
  const { type, assignees, assigned } = table
  const { byIndex } = listsOf(table)
  const user = '(select id from users where "usernameLower" = +:value)'
  const assignedTo = (who: string) =>
    byIndex(`and i.id in (select "${assigned}" from "${assignees}" where "userId" = ${who})`)
  return {
    labels: byIndex(`and i.id in (select l."targetId" from "labelLinks" l where l."labelId" in (
      select id from labels where title = +:value and "projectId" = +:projectId)
      and l."targetType" = '${type}')`),
    milestone: byIndex(`and i."milestoneId" in (
      select id from milestones where title = +:value and "projectId" = +:projectId)`),
    'scope=created_by_me': byIndex('and i."authorId" = +:userId'),
    'scope=assigned_to_me': assignedTo('+:userId'),
    author_id: byIndex('and i."authorId" = +:value'),
    author_username: byIndex(`and i."authorId" = ${user}`),
    assignee_id: assignedTo('+:value'),
    assignee_username: assignedTo(user),
    my_reaction_emoji: byIndex(`and i.id in (select "targetId" from awards where "userId" = +:userId
      and "targetType" = '${type}' and name = +:value)`),
  }
}

/** By a word that few items have, that many have, and that many titles have. */
function searchLists(table: ItemTable): ItemSql['projectLists'] {
  const { texts } = table
  const { same, byIndex } = listsOf(table)
  const matching = (column = '') => `and i.id in (
    select rowid from "${texts}" where "${texts}" match '${column}"' || +:value || '"')`
  const containing = (fields: readonly string[]) =>
    `and (${fields.map((field) => `i.${field} like '%' || +:value || '%'`).join(' or ')})`
  return {
    search: byIndex(matching()),
    'search|many': {
      page: same(containing(['title', 'description'])).page,
      count: same(matching()).count,
    },
    'search|title': {
      page: same(containing(['title'])).page,
      count: same(matching('title : ')).count,
    },
  }
}

/** The lists beyond a project. */
export function wideListsOf({ items, visible }: ItemTable): ItemSql['wideLists'] {
  /** Joins from the items in order to their projects, for a page. */
  const itemsFirst = `"${items}" i cross join projects p where p.id = i."projectId"`
  /** Joins from the projects to their items, for a count. */
  const projectsFirst = `projects p cross join "${items}" i where i."projectId" = p.id`
  const mine = `${itemsFirst} and ${visible} and i."authorId" = +:userId`
  return {
    all: { page: `${itemsFirst} and ${visible}`, count: `${projectsFirst} and ${visible}` },
    mine: { page: mine, count: mine },
    group: {
      page: `${itemsFirst} and ${visible} and ${inGroup}`,
      count: `${projectsFirst} and ${visible} and ${inGroup}`,
    },
  }
}

/** Those of the items that the user is subscribed to, by choice or by taking part in them. */
export function selectSubscribed({ items, type, assignees, assigned }: ItemTable): string {
  return `select i.id from "${items}" i
    where i.id in (select value from json_each(+:ids)) and coalesce(
      (select s.subscribed from subscriptions s
        where s."targetType" = '${type}' and s."targetId" = i.id and s."userId" = +:userId),
      i."authorId" = +:userId
      or exists (select 1 from mentions m
        where m."targetType" = '${type}' and m."targetId" = i.id and m."userId" = +:userId)
      or exists (select 1 from notes n where n."noteableType" = '${type}' and n."noteableId" = i.id
        and n."authorId" = +:userId and n.system = 0)
      or exists (select 1 from "${assignees}" a
        where a."${assigned}" = i.id and a."userId" = +:userId))`
}
