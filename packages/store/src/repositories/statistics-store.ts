import type { Transaction } from '../queries.ts'

/** Figures of a repository; sizes in bytes. */
export interface RepositoryFigures {
  projectId: number
  commitCount: number
  repositorySize: number
  /** Milliseconds since the epoch. */
  now: number
}

/** Keeps the figures; the storage size follows as the sum of all sizes of the project. */
export async function saveRepositoryFigures(
  tx: Transaction,
  figures: RepositoryFigures,
): Promise<void> {
  await tx.run('repositories.figures', figures, (db, $) =>
    db
      .insertInto('projectStatistics')
      .values({
        projectId: $('projectId'),
        commitCount: $('commitCount'),
        repositorySize: $('repositorySize'),
        storageSize: $('repositorySize'),
        updatedAt: $('now'),
      })
      .onConflict((conflict) =>
        conflict.column('projectId').doUpdateSet((eb) => ({
          commitCount: eb.ref('excluded.commitCount'),
          repositorySize: eb.ref('excluded.repositorySize'),
          storageSize: eb(
            eb('excluded.repositorySize', '+', eb.ref('projectStatistics.wikiSize')),
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

/** Replaces the languages of a project by these, each with its bytes. */
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
