/** What a status means to people. */
export interface Explanation {
  title: string
  text: string
}

const explanations: Readonly<Record<number, Explanation>> = {
  400: {
    title: 'That did not work',
    text: 'The address or the form has a value that is not valid.',
  },
  401: { title: 'Please sign in again', text: 'Your session has ended. Nothing was changed.' },
  403: {
    title: 'You may not do that',
    text: 'It needs a higher role, or something that is switched off here. An owner of the project or group may change that.',
  },
  404: {
    title: 'Page not found',
    text: 'It does not exist, was moved or deleted, or you have no access to it.',
  },
  405: {
    title: 'That cannot be done here',
    text: 'There is such a page, but it does not take requests of this kind. Nothing was changed.',
  },
  409: { title: 'That was changed meanwhile', text: 'Go back, reload the page, and try again.' },
  412: {
    title: 'That was changed meanwhile',
    text: 'What is there now is not what the request was meant for.',
  },
  413: { title: 'That is too large', text: 'Send less at once.' },
  415: {
    title: 'That did not work',
    text: 'The form was sent in a format that the server does not read. Nothing was changed.',
  },
  416: {
    title: 'There is no such part',
    text: 'The request asks for a part of the file that lies behind its end.',
  },
  429: { title: 'Too many requests', text: 'Wait a minute, then try again.' },
  503: { title: 'The server is busy', text: 'Wait a moment, then try again.' },
}

const refusal = { title: 'That did not work', text: 'The server has refused the request.' }

const failure = {
  title: 'Something went wrong here',
  text: 'The server could not build this page.',
}

/** The words for a status of 400 or more. */
export function explain(status: number): Explanation {
  return explanations[status] ?? (status < 500 ? refusal : failure)
}
