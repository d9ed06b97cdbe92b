/** A commit's JSON, from the content of its object. */
export function commitOf(id: string, content: Buffer) {
  const text = content.toString()
  const split = text.indexOf('\n\n')
  const headers = text.slice(0, split).split('\n')
  const message = text.slice(split + 2)
  const [author, committer] = ['author ', 'committer '].map((name) =>
    personOf(headers.find((line) => line.startsWith(name))?.slice(name.length) ?? ''),
  )
  return {
    id,
    short_id: id.slice(0, 8),
    title: message.split('\n', 1)[0],
    message,
    parent_ids: headers.filter((line) => line.startsWith('parent ')).map((line) => line.slice(7)),
    author_name: author?.name,
    author_email: author?.email,
    authored_date: author?.date,
    committer_name: committer?.name,
    committer_email: committer?.email,
    committed_date: committer?.date,
  }
}

function personOf(line: string) {
  const open = line.lastIndexOf(' <')
  const close = line.lastIndexOf('> ')
  const [seconds = '0', offset = '+0000'] = line.slice(close + 2).split(' ')
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3))
  const shift = (offset.startsWith('-') ? -minutes : minutes) * 60_000
  const local = new Date(Number(seconds) * 1000 + shift).toISOString().slice(0, -1)
  return {
    name: line.slice(0, open),
    email: line.slice(open + 2, close),
    date: `${local}${offset.slice(0, 3)}:${offset.slice(3)}`,
  }
}
