import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList, pick } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** A rule of a project or of a merge request. */
export type ApprovalRuleRow = Row<'approvalRules'>

/** Whose rules: of a project or of a merge request. */
export type ApprovalRuleOwner = { projectId: number } | { mergeRequestId: number }

const columns = [
  'approvalRules.id',
  'approvalRules.projectId',
  'approvalRules.mergeRequestId',
  'approvalRules.sourceRuleId',
  'approvalRules.kind',
  'approvalRules.name',
  'approvalRules.approvalsRequired',
  'approvalRules.createdAt',
] as const

function ownerColumn(owner: ApprovalRuleOwner) {
  return 'projectId' in owner
    ? { column: 'projectId' as const, ownerId: owner.projectId }
    : { column: 'mergeRequestId' as const, ownerId: owner.mergeRequestId }
}

/** Lists the rules of a project or of a merge request, the fallback among them, oldest first. */
export function listApprovalRules(
  q: Queries,
  owner: ApprovalRuleOwner,
): Promise<ApprovalRuleRow[]> {
  const { column, ownerId } = ownerColumn(owner)
  return q.all(`approvalRules.list|${column}`, { ownerId }, (db, $) =>
    db
      .selectFrom('approvalRules')
      .where(`approvalRules.${column}`, '=', $('ownerId'))
      .orderBy('approvalRules.id')
      .select(columns),
  )
}

/** A rule to create. */
export type NewApprovalRule = Pick<
  ApprovalRuleRow,
  'sourceRuleId' | 'kind' | 'name' | 'approvalsRequired' | 'createdAt'
>

const inserted = ['sourceRuleId', 'kind', 'name', 'approvalsRequired', 'createdAt'] as const

/** Adds a rule; undefined if the name is taken or the source is replaced already. */
export function insertApprovalRule(
  tx: Transaction,
  owner: ApprovalRuleOwner,
  rule: NewApprovalRule,
): Promise<ApprovalRuleRow | undefined> {
  const { column, ownerId } = ownerColumn(owner)
  return tx.first(`approvalRules.insert|${column}`, { ...rule, ownerId }, (db, $) =>
    db
      .insertInto('approvalRules')
      .values({ ...pick($, inserted), [column]: $('ownerId') })
      .onConflict((conflict) => conflict.doNothing())
      .returning(columns),
  )
}

/** What can be changed of a rule. */
export type ApprovalRuleChanges = Partial<Pick<ApprovalRuleRow, 'name' | 'approvalsRequired'>>

/**
 * Changes what is given of a rule, and locks it in any case; undefined if it was deleted.
 * @throws UniqueViolationError if the name is taken
 */
export function updateApprovalRule(
  tx: Transaction,
  { id, name, approvalsRequired }: { id: number } & ApprovalRuleChanges,
): Promise<ApprovalRuleRow | undefined> {
  const names = [
    ...(name === undefined ? [] : (['name'] as const)),
    ...(approvalsRequired === undefined ? [] : (['approvalsRequired'] as const)),
  ]
  const args = { id, name: name ?? '', approvalsRequired: approvalsRequired ?? 0 }
  return tx.first(`approvalRules.update|${names.join()}`, args, (db, $) =>
    db
      .updateTable('approvalRules')
      .set((eb) => ({ createdAt: eb.ref('approvalRules.createdAt'), ...pick($, names) }))
      .where('approvalRules.id', '=', $('id'))
      .returning(columns),
  )
}

/** Deletes a rule; false if it was deleted already. */
export async function deleteApprovalRule(tx: Transaction, id: number): Promise<boolean> {
  const { changes } = await tx.run('approvalRules.delete', { id }, (db, $) =>
    db.deleteFrom('approvalRules').where('approvalRules.id', '=', $('id')),
  )
  return changes > 0
}

/** The users and groups that a rule lists. */
export interface ListedApprovers {
  userIds: readonly number[]
  groupIds: readonly number[]
}

/** Lists the users and groups of rules by the rule's id; each by id. Two queries. */
export async function listRuleApprovers(
  q: Queries,
  ruleIds: readonly number[],
): Promise<ReadonlyMap<number, ListedApprovers>> {
  const users = await q.all('approvalRules.users', { ruleIds }, (db, $) =>
    db
      .selectFrom('approvalRuleUsers')
      .where(inList('approvalRuleUsers.ruleId', $('ruleIds')))
      .orderBy('userId')
      .select(['ruleId', 'userId']),
  )
  const groups = await q.all('approvalRules.groups', { ruleIds }, (db, $) =>
    db
      .selectFrom('approvalRuleGroups')
      .innerJoin('namespaces', 'namespaces.id', 'approvalRuleGroups.groupId')
      .where(inList('approvalRuleGroups.ruleId', $('ruleIds')))
      .where('namespaces.deletedAt', 'is', null)
      .orderBy('groupId')
      .select(['ruleId', 'groupId']),
  )
  const listed = new Map(
    ruleIds.map((id) => [id, { userIds: [] as number[], groupIds: [] as number[] }]),
  )
  for (const { ruleId, userId } of users) listed.get(ruleId)?.userIds.push(userId)
  for (const { ruleId, groupId } of groups) listed.get(ruleId)?.groupIds.push(groupId)
  return listed
}

/** Replaces the users and groups of a rule; a list that is not given stays. */
export async function setRuleApprovers(
  tx: Transaction,
  ruleId: number,
  { userIds, groupIds }: Partial<ListedApprovers>,
): Promise<void> {
  if (userIds !== undefined) await setRuleUsers(tx, { ruleId, userIds })
  if (groupIds !== undefined) await setRuleGroups(tx, { ruleId, groupIds })
}

// Both select from those that exist, which concurrent deletions may have removed.

async function setRuleUsers(
  tx: Transaction,
  { ruleId, userIds }: { ruleId: number; userIds: readonly number[] },
): Promise<void> {
  await clearApprovers(tx, 'approvalRuleUsers', ruleId)
  await tx.run('approvalRules.addUsers', { ruleId, userIds }, (db, $) =>
    db
      .insertInto('approvalRuleUsers')
      .columns(['ruleId', 'userId'])
      .expression(
        db
          .selectFrom('approvalRules')
          .innerJoin('users', (join) => join.onTrue())
          .where('approvalRules.id', '=', $('ruleId'))
          .where(inList('users.id', $('userIds')))
          .select(['approvalRules.id', 'users.id as userId']),
      ),
  )
}

async function setRuleGroups(
  tx: Transaction,
  { ruleId, groupIds }: { ruleId: number; groupIds: readonly number[] },
): Promise<void> {
  await clearApprovers(tx, 'approvalRuleGroups', ruleId)
  await tx.run('approvalRules.addGroups', { ruleId, groupIds }, (db, $) =>
    db
      .insertInto('approvalRuleGroups')
      .columns(['ruleId', 'groupId'])
      .expression(
        db
          .selectFrom('approvalRules')
          .innerJoin('namespaces', (join) => join.onTrue())
          .where('approvalRules.id', '=', $('ruleId'))
          .where(inList('namespaces.id', $('groupIds')))
          .select(['approvalRules.id', 'namespaces.id as groupId']),
      ),
  )
}

async function clearApprovers(
  tx: Transaction,
  table: 'approvalRuleUsers' | 'approvalRuleGroups',
  ruleId: number,
): Promise<void> {
  await tx.run(`approvalRules.clear|${table}`, { ruleId }, (db, $) =>
    db.deleteFrom(table).where('ruleId', '=', $('ruleId')),
  )
}

/** Whether a project has rules, so that new merge requests may have approvers. */
export async function hasApprovalRules(q: Queries, projectId: number): Promise<boolean> {
  const found = await q.first('approvalRules.any', { projectId }, (db, $) =>
    db
      .selectFrom('approvalRules')
      .where('approvalRules.projectId', '=', $('projectId'))
      .select('approvalRules.id')
      .limit(1),
  )
  return found !== undefined
}
