/** A text of the messages, in which backticks mark code. */
export const RichText = ({ text }: { text: string }) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
