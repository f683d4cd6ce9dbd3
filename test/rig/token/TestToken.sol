// SPDX-License-Identifier: Apache-2.0
// A token of six decimals that plays what real ones do to a payout: it refuses a recipient, does nothing without an error,
// or keeps a part. The manner is that of the recipient, and can change while a transfer waits.
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/token/ERC20/ERC20.sol";

contract TestToken is ERC20 {
    enum Manner { Plain, Reverting, Silent, Taxed }

    mapping(address => Manner) public manners;

    constructor(address holder) ERC20("Test USD", "TUSD") {
        _mint(holder, 1e15);
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function setManner(address recipient, Manner manner) external {
        manners[recipient] = manner;
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        Manner manner = manners[to];
        require(manner != Manner.Reverting, "recipient refused");
        if (manner == Manner.Silent) return false;
        if (manner == Manner.Taxed) _burn(msg.sender, value / 100);
        return super.transfer(to, manner == Manner.Taxed ? value - value / 100 : value);
    }
}
