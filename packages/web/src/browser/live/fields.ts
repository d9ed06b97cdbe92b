import { callApi } from '../api.ts'
import { showNews } from '../news.ts'

interface Fields {
  sha?: string
  state: string
  user_notes_count: number
}

interface Comment {
  id: number
  author: { name: string }
}

/**
 * Says what has changed of an item whose page stays as it is, such as a diff that somebody reads, and links
 * to the newer page.
 * @param shown fields of the item in the API, as JSON
 */
export function fieldLoader(stream: string, page: string, shown: string): () => Promise<void> {
  let known: Fields = JSON.parse(shown)
  const isNewest = known.sha !== undefined
  const path = stream.slice('/api/v4'.length, stream.lastIndexOf('/'))
  return async () => {
    const item = await callApi<Fields>(path)
    if (item === undefined) return
    const before = known
    known = item
    const again = { href: page, text: 'Load again' }
    // That of an older version stays as it is.
    if (isNewest && item.sha !== before.sha) showNews('The changes are outdated', again)
    else if (item.state !== before.state) showNews(`Now: ${item.state}`, again)
    else if (item.user_notes_count > before.user_notes_count) await showComment(path, page)
  }
}

async function showComment(path: string, page: string): Promise<void> {
  const query = 'activity_filter=only_comments&per_page=1'
  const [comment] = (await callApi<Comment[]>(`${path}/notes?${query}`)) ?? []
  if (comment === undefined) return
  const { id, author } = comment
  const href = `${page.split('?', 1)[0]}?note_id=${id}#note_${id}`
  showNews(`New comment by ${author.name}`, { href, text: 'Show it' })
}
