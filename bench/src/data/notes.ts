import { inBulk } from './bulk.ts'
import { createRandom } from './random.ts'
import { sentence } from './words.ts'
import { inserter, minute, type World } from './world.ts'

interface Noted {
  id: number
  projectId: number
  userNotesCount: number
  createdAt: number
}

/** Comments on issues, as many as each issue's counter says. */
export function fillNotes(world: World): void {
  const { db } = world
  inBulk(db, ['notes'], () => writeNotes(world))
  // As the trigger does.
  db.exec(`insert into "noteTexts" (rowid, body, scope)
    select id, body, char(57344 + "projectId" / 40960000 % 6400,
      57344 + "projectId" / 6400 % 6400, 57344 + "projectId" % 6400) from notes`)
}

function writeNotes({ db, size, users }: World): void {
  const random = createRandom('notes')
  const insertNote = inserter(db, 'notes')
  const some = db.prepare<[number, number], Noted>(
    `select id, "projectId", "userNotesCount", "createdAt" from issues where id > ? order by id limit ?`,
  )
  let id = 0
  // An iterator would keep the connection from writing.
  for (let last = 0; last < size.issues; ) {
    const page = some.all(last, 10_000)
    for (const { id: noteableId, projectId, userNotesCount, createdAt } of page) {
      for (let left = userNotesCount; left > 0; left -= 1) {
        id += 1
        const when = createdAt + left * minute
        insertNote({
          id,
          projectId,
          noteableType: 'issue',
          noteableId,
          // Hashing each would take longer than the rest.
          discussionId: id.toString(16).padStart(40, '0'),
          authorId: random.pick(users).id,
          body: sentence(random, 4 + random.integer(8)),
          createdAt: when,
          updatedAt: when,
        })
      }
    }
    const end = page.at(-1)?.id
    if (end === undefined) break
    last = end
  }
}
