import { createHash } from 'node:crypto'
import { confidences, rankOf, severities } from '@stithy/core'
import { inBulk } from './bulk.ts'
import { measuredProject } from './measured.ts'
import { createRandom } from './random.ts'
import { sentence } from './words.ts'
import { epoch, inserter, type World } from './world.ts'

const reportId = 1

const reportType = 'sast'

/** A report of the measured project, with vulnerabilities of all ratings. */
export function fillVulnerabilities(world: World): void {
  const { db, size } = world
  if (size.vulnerabilities === 0) return
  inserter(
    db,
    'securityReports',
  )({
    id: reportId,
    projectId: measuredProject.id,
    ref: 'main',
    reportType,
    sha: '0'.repeat(40),
    state: 'current',
    vulnerabilitiesCount: size.vulnerabilities,
    createdAt: epoch,
  })
  inBulk(db, ['vulnerabilities'], () => fillReport(world))
  db.exec(
    `insert into "vulnerabilityCounts" ("reportId", rank, total)
     select "reportId", rank, count(*) from vulnerabilities group by "reportId", rank`,
  )
}

function fillReport({ db, size }: World): void {
  const random = createRandom('vulnerabilities')
  const insert = inserter(db, 'vulnerabilities')
  const shared = {
    projectId: measuredProject.id,
    reportId,
    solution: null,
    scanner: JSON.stringify({ external_id: 'linter', name: 'Linter' }),
    links: '[]',
  }
  for (let id = 1; id <= size.vulnerabilities; id += 1) {
    const severity = severities[id % severities.length] ?? 'unknown'
    const confidence = confidences[id % confidences.length] ?? 'unknown'
    const file = `src/area-03/file-${id % 100}.txt`
    const identifier = { external_type: 'cwe', external_id: '79', name: 'CWE-79', url: null }
    insert({
      id,
      ...shared,
      fingerprint: createHash('sha1').update(`${file}:${id}`).digest('hex'),
      rank: rankOf({ severity, confidence, reportType, dismissed: id % 50 === 0 }),
      name: `Finding ${id}`,
      description: sentence(random, 30),
      identifiers: JSON.stringify([identifier]),
      location: JSON.stringify({ file, start_line: id % 500 }),
    })
  }
}
