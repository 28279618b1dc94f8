for turn in range(3):
    print(turn)
