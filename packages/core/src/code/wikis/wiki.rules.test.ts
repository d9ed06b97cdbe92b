import { describe, expect, it } from 'vitest'
import { newWikiFile, wikiFileOf, wikiOwnerPath, wikiSlugOf } from './wiki.rules.ts'

describe('wikiFileOf', () => {
  it.each([
    ['home.md', 'home', 'home', 'markdown'],
    ['First-Steps.markdown', 'First-Steps', 'First Steps', 'markdown'],
    ['guides/Set up.md', 'guides/Set-up', 'Set up', 'markdown'],
    ['my guides/a.md', 'my guides/a', 'a', 'markdown'],
    ['a/b/c.rdoc', 'a/b/c', 'c', 'rdoc'],
    ['a.adoc', 'a', 'a', 'asciidoc'],
    ['a.ASCIIDOC', 'a', 'a', 'asciidoc'],
    ['a.md.md', 'a.md', 'a.md', 'markdown'],
    ['_sidebar.md', '_sidebar', '_sidebar', 'markdown'],
    ['.hidden.md', '.hidden', '.hidden', 'markdown'],
    ['uploads/a.md', 'uploads/a', 'a', 'markdown'],
  ])('%s is the page %s', (path, slug, title, format) => {
    expect(wikiFileOf(path)).toEqual({ path, slug, title, format })
  })

  it.each([
    'README',
    'a.txt',
    '.md',
    'a/.md',
    'a.md/b',
    'a.constructor',
    'bad-\ufffd.md',
    `uploads/${'0a'.repeat(16)}/notes.md`,
  ])('%s is none', (path) => {
    expect(wikiFileOf(path)).toBeUndefined()
  })
})

describe('wikiSlugOf', () => {
  it.each([
    ['Home', '', 'Home'],
    ['  My   first\tpage ', '', 'My-first-page'],
    ['guides/Set up', '', 'guides/Set-up'],
    [' a / b c ', 'folder', 'a/b-c'],
    ['moved', 'deep/folder', 'deep/folder/moved'],
    ['/moved', 'deep/folder', 'moved'],
    ['/a//./b/', '', 'a/b'],
    ['a.md', '', 'a.md'],
    ['日本語 ページ', '', '日本語-ページ'],
  ])('%s in the folder "%s" becomes %s', (title, folder, slug) => {
    expect(wikiSlugOf(title, folder)).toEqual({ slug })
  })

  it.each([
    ['', "can't be blank"],
    [' \n', "can't be blank"],
    ['..', 'is invalid'],
    ['a/../../b', 'is invalid'],
    ['/', 'is invalid'],
    ['.', 'is invalid'],
    [`uploads/${'0a'.repeat(16)}/x`, 'is reserved for attachments'],
    [`uploads/${'0a'.repeat(16)}`, 'is reserved for attachments'],
    [`${'a/'.repeat(600)}a`, 'is too long (maximum is 1024 characters)'],
  ])('refuses "%s"', (title, error) => {
    expect(wikiSlugOf(title)).toEqual({ error })
  })
})

describe('newWikiFile', () => {
  const tooLong = 'is too long (maximum is 255 bytes for each part)'

  it.each([
    ['markdown', 252],
    ['rdoc', 250],
    ['asciidoc', 246],
  ] as const)('has a name of up to 255 bytes in %s', (format, length) => {
    const slug = `${'f'.repeat(255)}/${'p'.repeat(length)}`
    expect(newWikiFile(slug, format)).toMatchObject({ slug, format })
    expect(newWikiFile(`${slug}p`, format)).toEqual({ error: tooLong })
    expect(newWikiFile(`f${slug}`, format)).toEqual({ error: tooLong })
    expect(newWikiFile('é'.repeat(127), format)).toEqual({ error: tooLong })
  })

  it('is none that is not a page', () => {
    expect(newWikiFile('bad-\ufffd', 'markdown')).toEqual({ error: 'is invalid' })
  })
})

describe('wikiOwnerPath', () => {
  it('is the path of the project', () => {
    expect(wikiOwnerPath('a/b.wiki')).toBe('a/b')
    expect(wikiOwnerPath('a/b')).toBeUndefined()
    expect(wikiOwnerPath('a/b.wiki/c')).toBeUndefined()
  })
})
