import logo from '../design/logo.svg'

/** Decorative: the product's name always stands next to it. */
export const Logo = ({ size }: { size: number }) => <img src={logo} alt="" width={size} height={size} />
