import type { Queries, Transaction } from '../../platform/queries/queries.ts'

/** Statistics of a repository; sizes in bytes. */
export interface RepositoryStatistics {
  projectId: number
  commitCount: number
  /** The commit that `commitCount` counts from; null for an empty repository. */
  countedTip: string | null
  repositorySize: number
  wikiSize: number
  /** Milliseconds since the epoch. */
  now: number
}

/** Stores the statistics; the storage size is updated to the sum of all sizes of the project. */
export async function saveRepositoryStatistics(
  tx: Transaction,
  figures: RepositoryStatistics,
): Promise<void> {
  const storageSize = figures.repositorySize + figures.wikiSize
  await tx.run('repositories.figures', { ...figures, storageSize }, (db, $) =>
    db
      .insertInto('projectStatistics')
      .values({
        projectId: $('projectId'),
        commitCount: $('commitCount'),
        countedTip: $('countedTip'),
        repositorySize: $('repositorySize'),
        wikiSize: $('wikiSize'),
        storageSize: $('storageSize'),
        updatedAt: $('now'),
      })
      .onConflict((conflict) =>
        conflict.column('projectId').doUpdateSet((eb) => ({
          commitCount: eb.ref('excluded.commitCount'),
          countedTip: eb.ref('excluded.countedTip'),
          repositorySize: eb.ref('excluded.repositorySize'),
          wikiSize: eb.ref('excluded.wikiSize'),
          storageSize: eb(
            eb('excluded.repositorySize', '+', eb.ref('excluded.wikiSize')),
            '+',
            eb(
              eb('projectStatistics.lfsObjectsSize', '+', eb.ref('projectStatistics.packagesSize')),
              '+',
              eb.ref('projectStatistics.jobArtifactsSize'),
            ),
          ),
          updatedAt: eb.ref('excluded.updatedAt'),
        })),
      ),
  )
}

/** The last commit count of the default branch, and the commit it was counted from. */
export async function findCountedCommits(
  q: Queries,
  projectId: number,
): Promise<{ tip: string; count: number } | undefined> {
  const row = await q.first('repositories.countedCommits', { projectId }, (db, $) =>
    db
      .selectFrom('projectStatistics')
      .select(['countedTip as tip', 'commitCount as count'])
      .where('projectStatistics.projectId', '=', $('projectId')),
  )
  return row?.tip ? { tip: row.tip, count: row.count } : undefined
}

/** Replaces the languages of a project, each with its bytes. */
export async function saveLanguages(
  tx: Transaction,
  projectId: number,
  languages: ReadonlyMap<string, number>,
): Promise<void> {
  await tx.run('repositories.forgetLanguages', { projectId }, (db, $) =>
    db.deleteFrom('projectLanguages').where('projectLanguages.projectId', '=', $('projectId')),
  )
  for (const [language, bytes] of languages) {
    const row = { projectId, language, languageLower: language.toLowerCase(), bytes }
    await tx.run('repositories.addLanguage', row, (db, $) =>
      db.insertInto('projectLanguages').values({
        projectId: $('projectId'),
        language: $('language'),
        languageLower: $('languageLower'),
        bytes: $('bytes'),
      }),
    )
  }
}

/** Lists the languages of a project with their bytes. */
export function listLanguages(
  q: Queries,
  projectId: number,
): Promise<{ language: string; bytes: number }[]> {
  return q.all('repositories.languages', { projectId }, (db, $) =>
    db
      .selectFrom('projectLanguages')
      .select(['projectLanguages.language', 'projectLanguages.bytes'])
      .where('projectLanguages.projectId', '=', $('projectId')),
  )
}
