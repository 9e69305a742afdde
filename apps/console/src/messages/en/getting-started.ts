export const gettingStarted = {
  title: 'Welcome! Get started in a few steps',
  titleWithSales: 'Next steps',
  text: 'No codes were validated in this workspace in this period. Validations appear here within seconds.',
  steps: {
    sales: {
      title: 'Add your sales',
      text: 'Import a file, or create an item and record its sales.',
      action: 'Import',
    },
    key: {
      title: 'Generate a key',
      text: 'Your program sends it with every request.',
      action: 'Generate a key',
    },
    code: {
      title: 'Check a code',
      text: 'See how the API responds to a customer’s code.',
      action: 'Check a code',
    },
    snippet: {
      title: 'Integrate your program',
      text: 'Ready-to-use code for curl, JavaScript and PHP.',
      action: 'Show code',
    },
  },
}

/** Loaded while there are no validations, which few visits see. */
export type GettingStartedMessages = typeof gettingStarted
