import type { World } from './world.ts'

/** Merges what was inserted at once, as the server does after some writes. */
export function mergeFullText({ db }: World): void {
  const changes = db.prepare<[], number>('select total_changes()').pluck()
  for (const table of ['issueTexts', 'mergeRequestTexts', 'epicTexts', 'noteTexts']) {
    const merge = db.prepare(`insert into "${table}" ("${table}", rank) values ('merge', 4096)`)
    let before: number
    do {
      before = changes.get() ?? 0
      merge.run()
      // A merge that has nothing to do counts as one change.
    } while ((changes.get() ?? 0) - before >= 2)
  }
}
