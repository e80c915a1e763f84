import { signInOfHost } from '../session/address.js'
import { session } from '../session/session.js'
import { AccountChoice } from './account-choice.js'
import { Replacing } from './replacing.js'
import { SignIn, SignInAtHost } from './sign-in.js'
import { invitation, isChoosing } from './sign-in-calls.js'

/** The sign-in: nobody is signed in, or another user is about to be. */
export function AtTheDoor() {
  if (isChoosing.value) return <AccountChoice />
  if (!session.value) return signInOfHost === '' ? <SignIn /> : <SignInAtHost />
  return invitation.value === null ? null : <Replacing token={invitation.value} now={session.value} />
}
